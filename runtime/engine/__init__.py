"""Running graphs: passes, engines, plans, threads, and sessions."""

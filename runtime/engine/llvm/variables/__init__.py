"""Variables in native code: numbers are held in registers while no other code runs."""

"""Sessions on a cluster: tasks that hold variables, and graphs that are cut by device.

Dask starts and watches the processes, and carries what they say to each other.  server.py and
local_cluster.py start tasks, task.py is what one does, cluster.py what a session knows of them.
"""

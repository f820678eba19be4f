"""Rules of import: functions of a node and its inputs, which compute its outputs by ops."""

"""FIND STORES: which memory folders there are on this machine, and where each comes from; never a deep walk."""

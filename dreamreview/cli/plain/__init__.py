"""The review in lines, for ears as well as eyes: nothing is told by a sign, a colour or a place alone."""

"""A reply becomes pages: names, claims, relations and disputes judged and written, one operation after the other."""

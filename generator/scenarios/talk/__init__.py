"""What people say to an assistant that has nothing to do with its tools."""

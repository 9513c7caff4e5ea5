"""What travels between an episode and those who steer or watch it: messages, their bytes, the sockets."""

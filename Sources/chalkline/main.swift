// main: the one program.

internal import TutorServer

Command.run()

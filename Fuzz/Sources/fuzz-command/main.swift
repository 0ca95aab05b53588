import FuzzCommand
import FuzzDriver

FuzzDriver.run(commandTargets)

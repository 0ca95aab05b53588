import FuzzDriver
import FuzzFiles

FuzzDriver.run(fileTargets)

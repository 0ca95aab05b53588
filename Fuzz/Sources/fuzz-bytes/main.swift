import FuzzBytes
import FuzzDriver

FuzzDriver.run(byteTargets)

#include "loop_floor.h"

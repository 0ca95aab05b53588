#include <unbound.h>

#ifndef CPROBE_SETTINGS_H
#define CPROBE_SETTINGS_H

// A program that links this target sets aside what would change its TLS and DNS libraries without anybody having asked for
// it: the variables and the files of the system and the user by which such libraries are configured. It is done before
// the libraries' own constructors run, since some read them there.
//
// With PROBE_SYSTEM_SETTINGS=1 in the environment everything is left as it is.
#define CPROBE_SETTINGS_VARIABLE "PROBE_SYSTEM_SETTINGS"

// True if the settings were asked for.
int cprobe_settings_are_asked(void);

// The number of variables that were set aside, and one of them as NAME=VALUE.
int cprobe_settings_count(void);
const char *cprobe_setting_at(int index);

// The same for the names of variables that were given a value of ours, so that a library does not read its default file.
int cprobe_overrides_count(void);
const char *cprobe_override_at(int index);

// True if a library would take settings from a variable of this name, which ends at `=` or at its end.
int cprobe_is_setting(const char *name);

// Runs the program again with the environment it was started with and PROBE_SYSTEM_SETTINGS=1; returns only where that
// can't be done, with errno set.
void cprobe_settings_restart(char *const *arguments);

#endif

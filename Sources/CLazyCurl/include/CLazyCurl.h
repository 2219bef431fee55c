#pragma once
// Nothing to call: a program that links this target gets libcurl's own functions, loaded at the first call of one.

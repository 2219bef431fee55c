/* Between the parts of this target. */
#pragma once
#include "CEaselGTK.h"

/* The popover that is open, or null. */
void easel_surface_set_menu(GtkWidget *surface, GtkWidget *popover);
/* The popover has closed, and the focus is back in the surface. */
void easel_surface_menu_closed(GtkWidget *surface);
/* A leaf has the focus now. */
void easel_surface_leaf_focused(GtkWidget *surface, GtkWidget *leaf);
/* Assistive technology presses a leaf, or asks for its menu. */
void easel_surface_leaf_activated(GtkWidget *surface, GtkWidget *leaf, bool menu);
/* The place of a leaf in its surface; nothing where it is none. */
void easel_leaf_allocate(GtkWidget *leaf);

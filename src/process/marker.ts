/** Everything a process starts inherits this variable, so it is found again in whatever group or session it hides. */
export const markerVariable = 'RALPH_MARKER';

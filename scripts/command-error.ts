/** What a command will not or can not do, as a short sentence for who typed it. */
export class CommandError extends Error {}

/** What was done only in part: no failure was seen, and nobody may take it for a success. */
export class PartialSuccess extends CommandError {}

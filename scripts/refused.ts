/** What a command will not or can not do, as a short sentence for who typed it. */
export class Refused extends Error {}

/** Named after the data that it holds: these files are kept for ever by who loads them. */
export const numberingFolder = '/numbering/libphonenumber-js-1.13.16-examples-1';

/** Address of the numbering rules of a calling code (digits, without `+`). */
export const numberingFile = (calling: string): string => `${numberingFolder}/${calling}.json`;

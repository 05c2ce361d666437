/** The sentences of a text, with their full stops. */
export const sentencesOf = (text: string): string[] => text.match(/\S.*?(?:[.。](?=.)|$)/g) ?? [''];

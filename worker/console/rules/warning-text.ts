/** A warning about the documents without its place in the file, where it names what it is about. */
export const warningText = (line: string): string =>
  line.replace(/^(config|flows)\.json (variants\.\d+\.\w+: )?/, '');

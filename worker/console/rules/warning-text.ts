/** A warning about the documents; the position in the file is removed if the warning names its subject. */
export const warningText = (line: string): string =>
  line.replace(/^(config|flows)\.json (variants\.\d+\.\w+: )?/, '');

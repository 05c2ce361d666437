interface FieldProblems {
  /** By the path of their field in the edited part. */
  beside: Record<string, string>;
  others: string[];
}

/** @param place where the edited part stands, such as `config.json offers.fullPrice.` */
export function fieldProblems(errors: readonly string[], place: string): FieldProblems {
  const found: FieldProblems = { beside: {}, others: [] };
  for (const error of errors) {
    const [path = '', ...reason] = error.startsWith(place)
      ? error.slice(place.length).split(': ')
      : [];
    if (reason.length > 0) found.beside[path] ??= reason.join(': ');
    else found.others.push(error);
  }
  return found;
}

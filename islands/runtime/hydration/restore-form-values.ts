type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const fields = () =>
  document.querySelectorAll<Field>('main :is(input, select, textarea)[name]:not([type=password])');

const textOf = (field: Field) =>
  field.type === 'radio' ? `${field.value}:${(field as HTMLInputElement).checked}` : field.value;

/** Reloads the page once, keeping form values in the history entry. Returns false the second time. */
export function reloadOnce(): boolean {
  if (history.state?.again) return false;
  const again = [...fields()].map((field) => [field.name, textOf(field)]);
  history.replaceState({ ...history.state, again }, '');
  location.reload();
  return true;
}

export function restoreTyped(): void {
  const typed = history.state?.again;
  if (!Array.isArray(typed)) return;
  history.replaceState({ ...history.state, again: true }, '');
  for (const field of fields()) {
    for (const [name, text] of typed) {
      if (name !== field.name) continue;
      const before = field.value;
      if (field.type !== 'radio') field.value = text;
      else if (text === `${field.value}:true`) (field as HTMLInputElement).checked = true;
      // The option of another country may not exist yet.
      if (!field.value) field.value = before;
    }
  }
}

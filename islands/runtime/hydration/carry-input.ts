import { buffered } from './event-replay.ts';

type Selection = readonly [start: number, end: number, direction?: 'forward' | 'backward' | 'none'];
type AnyField = HTMLInputElement & HTMLSelectElement;

const used = 'a, button, details, form, input, select, summary, textarea, [tabindex]';

/** The elements that a visitor uses, by keys that stay the same whatever others insert between them. */
function elementsIn(island: Element): Map<string, HTMLElement> {
  const found = new Map<string, HTMLElement>();
  for (const element of island.querySelectorAll<HTMLElement>(used)) {
    const { localName, id, className } = element;
    const option = element.matches('[type=radio], [type=checkbox]')
      ? element.getAttribute('value')
      : '';
    let key = `${localName} ${element.getAttribute('name') ?? (id || className)} ${option}`;
    while (found.has(key)) key += ' ';
    found.set(key, element);
  }
  return found;
}

const modify = (...how: [alter: string, direction: string, unit: string]) =>
  getSelection()?.modify?.(...how);

/** For a focused field without `setSelectionRange`. */
function moveTo([start, end]: Selection): void {
  modify('move', 'backward', 'documentboundary');
  for (let at = 0; at < end; at += 1)
    modify(at < start ? 'move' : 'extend', 'forward', 'character');
}

/** The selection in the focused field. E-mail fields hide theirs, so it is extended to both ends and measured. */
function selectionIn(field: AnyField): Selection | undefined {
  const { value, selectionStart, selectionEnd, selectionDirection } = field;
  if (selectionStart === undefined) return undefined;
  if (selectionStart !== null)
    return [selectionStart, selectionEnd ?? selectionStart, selectionDirection ?? 'none'];
  const text = String(getSelection());
  modify('extend', 'forward', 'documentboundary');
  const anchor = value.length - String(getSelection()).length;
  modify('extend', 'backward', 'documentboundary');
  // A browser may not count the text of fields as selected.
  if (String(getSelection()).length !== anchor) return undefined;
  const start = value.startsWith(text, anchor) ? anchor : anchor - text.length;
  moveTo([start, start + text.length]);
  return [start, start + text.length];
}

function carryField(from: HTMLElement, to: HTMLElement): void {
  if (from.localName === 'details') Object.assign(to, { open: (from as HTMLDetailsElement).open });
  if (!from.matches('input, select, textarea')) return;
  const { value, checked, selectedOptions } = from as AnyField;
  const [chosen] = selectedOptions ?? [];
  const { options } = to as AnyField;
  // Options may have been added to the page's own.
  if (chosen && ![...options].some((option) => option.value === value))
    to.append(chosen.cloneNode(true));
  Object.assign(to, { value }, checked === undefined ? {} : { checked });
}

function carryFocus(to: AnyField, selection: Selection | undefined): void {
  const isMeasured = to.selectionStart === null;
  if (selection && !isMeasured) to.setSelectionRange(...selection);
  to.focus({ preventScroll: true });
  if (selection && isMeasured) moveTo(selection);
}

/** Repeats taps on the new elements, in their order. */
function carryTaps(island: Element, replaced: Map<Element, HTMLElement>): void {
  const actions = buffered.get(island);
  const taps = [...(actions ?? [])];
  actions?.clear();
  for (const [from, action] of taps) {
    const to = replaced.get(from);
    const button = to?.querySelector<HTMLButtonElement>('button:not([type=button])');
    const submit = (to as HTMLFormElement | undefined)?.requestSubmit;
    actions?.set(
      to ?? from,
      to ? () => (submit ? submit.call(to, button) : (button ?? to).click()) : action,
    );
  }
}

/**
 * Remembers what a visitor did in an island whose elements may be replaced: fields, and taps that nothing handled yet.
 *
 * @param withFocus also the focus and its selection, which measuring moves and puts back
 * @returns carries all of it over to the new elements
 */
export function rememberInput(island: Element, withFocus: boolean): () => void {
  const before = elementsIn(island);
  const focused = withFocus && island.contains(document.activeElement) && document.activeElement;
  const selection = focused ? selectionIn(focused as AnyField) : undefined;
  return () => {
    const after = elementsIn(island);
    const replaced = new Map<Element, HTMLElement>();
    for (const [key, from] of before) {
      const to = after.get(key);
      if (!to || to === from) continue;
      replaced.set(from, to);
      carryField(from, to);
    }
    carryTaps(island, replaced);
    const to = focused && replaced.get(focused);
    if (to) carryFocus(to as AnyField, selection);
  };
}

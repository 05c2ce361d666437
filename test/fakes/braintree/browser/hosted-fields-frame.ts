import Framebus from 'framebus';
import { attributes, type FieldName, type FieldState, format, stateOf } from './frame-fields.ts';
import { tokenize } from './frame-tokenize.ts';

interface Settings {
  styles?: Record<string, Record<string, string>>;
  fields: Partial<Record<FieldName, { placeholder?: string }>>;
}

const names = Object.keys(attributes) as FieldName[];
const frameOf = (field: FieldName) => `braintree-hosted-field-${field}`;
const mine = names.find((field) => frameOf(field) === window.name) ?? 'number';
const bus = new Framebus({ channel: location.hash.slice(1) });
const input = document.createElement('input');

/** The inputs of all fields: their frames are of this origin. */
function inputs(): Partial<Record<FieldName, HTMLInputElement>> {
  const found = names.map((field) => {
    const frame = (parent as unknown as Record<string, Window | undefined>)[frameOf(field)];
    return [field, frame?.document.querySelector('input') ?? undefined] as const;
  });
  return Object.fromEntries(found.filter(([, element]) => element));
}

function states(): Record<string, FieldState> {
  return Object.fromEntries(
    Object.entries(inputs()).map(([field, element]) => [
      field,
      stateOf(field as FieldName, element as HTMLInputElement),
    ]),
  );
}

const tell = (type: string) =>
  bus.emit('hosted-fields:INPUT_EVENT', {
    type,
    merchantPayload: { emittedBy: mine, fields: states(), cards: [] },
  });

/** braintree-web's style rules: `input`, `.invalid`, `::placeholder` and the like. */
function dress({ styles = {}, fields }: Settings): void {
  const rules = Object.entries(styles).map(([selector, rule]) => {
    const place = selector.startsWith('::') ? `input${selector}` : selector;
    const lines = Object.entries(rule).map(([name, value]) => `${name}:${value}`);
    return `${place}{${lines.join(';')}}`;
  });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules.join('\n'));
  document.adoptedStyleSheets = [sheet];
  input.placeholder = fields[mine]?.placeholder ?? '';
}

let before: FieldState | undefined;

function changed(): void {
  input.value = format(mine, input.value);
  const now = stateOf(mine, input);
  input.classList.toggle('invalid', !now.isPotentiallyValid);
  input.classList.toggle('valid', now.isValid);
  input.setAttribute('aria-invalid', String(!now.isPotentiallyValid));
  const validity = before?.isValid !== now.isValid;
  if (validity || before?.isPotentiallyValid !== now.isPotentiallyValid) tell('validityChange');
  if (now.isEmpty !== (before?.isEmpty ?? true)) tell(now.isEmpty ? 'empty' : 'notEmpty');
  before = now;
}

const { name, autocomplete, label } = attributes[mine];
Object.assign(input, { name, autocomplete, inputMode: 'numeric', type: 'text', id: name });
input.setAttribute('aria-label', label);
input.addEventListener('input', changed);
input.addEventListener('focus', () => tell('focus'));
input.addEventListener('blur', () => tell('blur'));
document.body.append(input);

bus.on('hosted-fields:TRIGGER_INPUT_FOCUS', ((data: { field: string }) => {
  if (data.field === mine) input.focus();
}) as never);
bus.on('hosted-fields:CONFIGURATION', dress as never);
if (mine === 'number') {
  bus.on('hosted-fields:TOKENIZATION_REQUEST', (async (options: object, reply: Reply) => {
    reply(await tokenize(bus, inputs(), states(), options));
  }) as never);
}
// Only one frame gets the settings, and passes them on.
bus.emit('hosted-fields:FRAME_READY', { field: mine }, ((settings: Settings) => {
  dress(settings);
  bus.emit('hosted-fields:CONFIGURATION', settings as never);
}) as never);

type Reply = (answer: unknown) => void;

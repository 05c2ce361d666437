interface FieldError {
  field: string;
  text: string;
}

interface Props {
  index: number;
  variant: { key: string; weight: number | null; flow: string };
  flows: readonly { name: string; label: string }[];
  errors: readonly FieldError[];
}

const problemId = (field: string) => `problem-${field.replaceAll('.', '-')}`;

export function variantField(errors: readonly FieldError[], field: string) {
  const found = errors.find((error) => error.field === field);
  return {
    attributes: found ? { 'aria-invalid': true, 'aria-describedby': problemId(field) } : {},
    problem: found && (
      <span className="problem-text" id={problemId(field)}>
        {found.text}
      </span>
    ),
  };
}

export function VariantRow(props: Props) {
  const { index, variant, flows, errors } = props;
  const at = (name: string) => variantField(errors, `variants.${index}.${name}`);
  const [key, weight, flow] = [at('key'), at('weight'), at('flow')];
  const label = variant.key || 'new variant';
  return (
    <tr>
      <td data-label="Variant">
        <input
          name="key"
          defaultValue={variant.key}
          aria-label={`Name of ${label}`}
          {...key.attributes}
        />
        {key.problem}
      </td>
      <td className="number" data-label="Share, %">
        <input
          name="weight"
          type="number"
          min="0"
          max="100"
          step="0.01"
          defaultValue={variant.weight ?? ''}
          aria-label={`Share of ${label} in percent`}
          {...weight.attributes}
        />
        <input
          type="range"
          min="0"
          max="100"
          step="0.01"
          className="waiting"
          aria-label={`Slider of ${label}`}
        />
        {weight.problem}
      </td>
      <td data-label="Flow">
        <select
          name="flow"
          defaultValue={variant.flow}
          aria-label={`Flow of ${label}`}
          {...flow.attributes}
        >
          {flows.some(({ name }) => name === variant.flow) ? null : <option>{variant.flow}</option>}
          {flows.map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
        {flow.problem}
      </td>
    </tr>
  );
}

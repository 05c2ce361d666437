import type { Documents } from '../../../documents/document-set.ts';
import { builtInDocuments } from '../../../experiments/rules/config-documents.ts';
import type { ConfigSet, DocumentKey } from '../../../experiments/rules/config-schema.ts';
import { stateOf } from '../../../experiments/rules/experiment-arms.ts';
import type { Harm } from '../../../experiments/rules/guardrails.ts';

export interface ArmStop extends Harm {
  experiment: string;
}

export interface RunningTest {
  experiment: string;
  /** That get visitors; the control first. */
  arms: string[];
}

/** Tests that compare at least one arm with a control that gets visitors, the split first. @param now ms since 1970 */
export function runningTests({ config, experiments }: ConfigSet, now: number): RunningTest[] {
  const others = experiments.experiments.filter((each) => stateOf(each, now) === 'running');
  return [{ id: config.experiment, variants: config.variants }, ...others].flatMap(
    ({ id, variants: [control, ...compared] }) => {
      const arms = compared.filter(({ weight }) => weight > 0).map(({ key }) => key);
      return control && control.weight > 0 && arms.length > 0
        ? [{ experiment: id, arms: [control.key, ...arms] }]
        : [];
    },
  );
}

interface WrittenArm {
  key: string;
  weight: number;
}

interface WithArms {
  variants: WrittenArm[];
}

type WrittenSplit = WithArms & { experiment: string };
type WrittenTest = WithArms & { id: string };

const written = (documents: Documents, key: DocumentKey) => documents[key] ?? builtInDocuments[key];
const textOf = (document: object) => JSON.stringify(document, null, 2);

/** Its share goes to the control; in hundredths of a percent, because 0.1 + 0.2 is not 0.3. */
function withoutArm<Test extends WithArms>(
  test: Test,
  { variant, guardrail }: Harm,
  at: string,
): Test {
  const freed = test.variants.find(({ key }) => key === variant)?.weight ?? 0;
  const variants = test.variants.map((arm, index) => {
    if (arm.key === variant)
      return { ...arm, weight: 0, stopped: { at, guardrail, weight: freed } };
    return index === 0 ? { ...arm, weight: Math.round((arm.weight + freed) * 100) / 100 } : arm;
  });
  return { ...test, variants };
}

/** The documents in which nobody gets the arm. @param documents valid ones @param now ms since 1970 */
export function withStop(documents: Documents, stop: ArmStop, now: number): Documents {
  const at = new Date(now).toISOString();
  const config: WrittenSplit = JSON.parse(written(documents, 'config.json'));
  if (config.experiment === stop.experiment)
    return { ...documents, 'config.json': textOf(withoutArm(config, stop, at)) };
  const set: { experiments: WrittenTest[] } = JSON.parse(written(documents, 'experiments.json'));
  const experiments = set.experiments.map((each) =>
    each.id === stop.experiment ? withoutArm(each, stop, at) : each,
  );
  return { ...documents, 'experiments.json': textOf({ ...set, experiments }) };
}

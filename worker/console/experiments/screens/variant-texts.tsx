import { ChoiceField } from '../../parts/choice.tsx';
import { SecondButton } from '../../parts/field.tsx';
import { languageName } from '../../parts/rules/names.ts';
import { screenName } from '../../parts/rules/screen-names.ts';

interface Wording {
  tag: string;
  direction: 'ltr' | 'rtl';
  now: string;
  text: string;
  problem?: string | undefined;
}

export interface TextChange {
  key: string;
  where: string;
  problem?: string | undefined;
  wordings: readonly Wording[];
}

export interface VariantTextsProps {
  index: number;
  screen: string;
  screens: readonly string[];
  /** Texts of the screen, each by its current wording. */
  choices: readonly { key: string; text: string }[];
  changed: readonly TextChange[];
}

/** Sends the form, whose page shows it again after the step. */
export const StepButton = ({ step, children }: { step: string; children: string }) => (
  <SecondButton name="step" value={step} formAction="/console/experiments/edit" formNoValidate>
    {children}
  </SecondButton>
);

function Change({ change, index }: { change: TextChange; index: number }) {
  const { key, where, problem, wordings } = change;
  return (
    <fieldset>
      <legend>{`Text on: ${where}`}</legend>
      {problem && <span className="problem-text">{problem}</span>}
      <div className="texts">
        {wordings.map(({ tag, direction, now, text, problem: wrong }) => (
          <label key={tag} className="field wording" lang={tag}>
            <span lang="en">{`New text, ${languageName(tag)}`}</span>
            <textarea
              name={`text.${index}.${tag}.${key}`}
              dir={direction}
              maxLength={2000}
              rows={2}
              defaultValue={text}
              aria-invalid={wrong ? true : undefined}
            />
            <small dir={direction}>{now}</small>
            {wrong && (
              <span className="problem-text" lang="en">
                {wrong}
              </span>
            )}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** The texts that a variant changes, and the texts of a screen to choose from. */
export function VariantTexts({ index, screen, screens, choices, changed }: VariantTextsProps) {
  const texts = new Map(choices.map(({ key, text }) => [key, text]));
  return (
    <>
      {changed.map((change) => (
        <Change key={change.key} change={change} index={index} />
      ))}
      <details open={changed.length === 0}>
        <summary>{changed.length === 0 ? 'Change a text' : 'Change another text'}</summary>
        <div className="beside">
          <ChoiceField
            label="Screen"
            name={`screen.${index}`}
            chosen={screen}
            choices={screens}
            textOf={screenName}
          />
          <StepButton step={`screen ${index}`}>Show its texts</StepButton>
        </div>
        <div className="beside">
          <ChoiceField
            label={`Text on: ${screenName(screen)}`}
            name={`add.${index}`}
            chosen=""
            choices={[...texts.keys()]}
            textOf={(key) => texts.get(key) ?? key}
          />
          <StepButton step={`text ${index}`}>Change this text</StepButton>
        </div>
      </details>
    </>
  );
}

import { ChoiceField, CountryField } from '../../parts/choice.tsx';
import { CheckField, Field } from '../../parts/field.tsx';
import { deviceName, languageName, trafficName } from '../../parts/rules/names.ts';
import type { Draft } from '../rules/experiment-draft.ts';

export interface PartProps {
  draft: Draft;
  problem: Problem;
}

export type WhoChoices = Readonly<
  Record<'languages' | 'placements' | 'networks', readonly string[]>
>;

export type Problem = (...fields: string[]) => string | undefined;

interface TicksProps {
  legend: string;
  name: string;
  choices: readonly string[];
  chosen: readonly string[];
  textOf: (choice: string) => string;
  problem?: string | undefined;
  note?: string;
}

export const Ticks = ({ legend, name, choices, chosen, textOf, problem, note }: TicksProps) => (
  <fieldset className="ticks">
    <legend>{legend}</legend>
    {note && <p className="quiet">{note}</p>}
    <div className="beside">
      {choices.map((choice) => (
        <CheckField
          key={choice}
          type="checkbox"
          name={name}
          value={choice}
          isChosen={chosen.includes(choice)}
          label={textOf(choice)}
        />
      ))}
    </div>
    {problem && <span className="problem-text">{problem}</span>}
  </fieldset>
);

/** One more than are chosen, at least two, so that countries can be added without a script. */
function Countries({ chosen, problem }: { chosen: readonly string[]; problem: Problem }) {
  const all = [...chosen, '', ...(chosen.length === 0 ? [''] : [])];
  const places = all.map((country, at) => ({ country, at }));
  return (
    <div className="beside">
      {places.map(({ country, at }) => (
        <CountryField
          key={at}
          label={at === 0 ? 'Country' : 'or'}
          name="countries"
          all={at === 0 ? 'every country' : 'no other country'}
          chosen={country}
          problem={problem(`targeting.countries.${at}`)}
        />
      ))}
    </div>
  );
}

export function Who({ draft, choices, problem }: PartProps & { choices: WhoChoices }) {
  const { targeting, visitors, share } = draft;
  const isNarrow =
    visitors !== '' ||
    share !== 100 ||
    [...targeting.devices, ...targeting.platforms, ...targeting.campaigns].length > 0;
  return (
    <section className="card">
      <h2>Who takes part</h2>
      <Countries chosen={targeting.countries} problem={problem} />
      <Ticks
        legend="Languages"
        note="Tick none for every language. Each needs its own text."
        name="languages"
        choices={choices.languages}
        chosen={targeting.languages}
        textOf={languageName}
      />
      <Ticks
        legend="Ads on"
        name="placements"
        choices={choices.placements}
        chosen={targeting.placements}
        textOf={trafficName}
        problem={problem('targeting.placements')}
      />
      <details open={isNarrow || targeting.sources.length > 0 || Boolean(problem('share'))}>
        <summary>Networks, devices, campaigns, share</summary>
        <Ticks
          legend="Networks"
          name="sources"
          choices={choices.networks}
          chosen={targeting.sources}
          textOf={trafficName}
        />
        <Ticks
          legend="Devices"
          name="devices"
          choices={['mobile', 'desktop']}
          chosen={targeting.devices}
          textOf={(name) => (name === 'mobile' ? 'Phones and tablets' : 'Computers')}
        />
        <Ticks
          legend="Systems"
          name="platforms"
          choices={['ios', 'android']}
          chosen={targeting.platforms}
          textOf={deviceName}
        />
        <div className="beside">
          <Field
            label="Campaigns"
            note="utm_campaign, with commas."
            name="campaigns"
            defaultValue={targeting.campaigns.join(', ')}
            problem={problem('targeting.campaigns.0', 'targeting.campaigns')}
          />
          <ChoiceField
            label="Visitors"
            name="visitors"
            chosen={visitors}
            choices={['new', 'returning']}
            all="new and returning"
          />
          <Field
            label="Share of them, %"
            type="number"
            min="0"
            max="100"
            step="0.01"
            name="share"
            defaultValue={share}
            problem={problem('share')}
          />
        </div>
      </details>
    </section>
  );
}

import islands from '../../../locales/en/islands.json' with { type: 'json' };
import screens from '../../../locales/en/screens.json' with { type: 'json' };
import { applyOverrides } from '../../content/rules/text-overrides.ts';
import { changedScreens, textKeys } from './changed-screens.ts';
import type { Configuration } from './config-documents.ts';
import type { Problem } from './config-schema.ts';
import { type Experiment, type ExperimentVariant, pageLanguages } from './experiments-schema.ts';
import { isTestScreen, screenIds } from './flows.ts';
import { holdoutProblems } from './holdout.ts';
import { screensWith } from './text-screens.ts';

const english = { screens, islands };

/** Renderings of one screen that the caches hold beside those of the split. */
const mostRenderings = 64;

/** A purchase stores these with its terms, from the texts that are the same for all visitors. */
export const termTexts =
  /^screens\.((plans|summary)\.|checkout\.(consent|cancel)$|upsell\.less$)|^islands\.(card-form\.(pay|order|trial)|upsell-offer\.(once|add))$/;

const pluralForm = /_(zero|one|two|few|many|other)$/;

const problem = (path: string, reason: string): Problem => ({
  key: 'experiments.json',
  path,
  reason,
});

/** Whether its screens can still differ between visitors. Time is not considered, so that documents stay valid. */
export const isOpen = ({ winner }: Experiment): boolean => winner === undefined;

/** Whether it changes nothing any more, so that what it names may be removed. */
const isSettled = ({ winner, rolled_out, variants }: Experiment): boolean =>
  rolled_out !== undefined || winner === variants[0]?.key;

export const languagesOf = ({ targeting }: Experiment): readonly string[] =>
  targeting.languages ?? pageLanguages;

/** Other languages have plural forms that English lacks. */
const modelOf = (key: string) => {
  const isKnown = applyOverrides({ [key]: '' }, english, 'en').refused[0]?.reason !== 'no such key';
  return isKnown ? key : key.replace(pluralForm, '_other');
};

export function refusalOf(key: string, text: string, language: string): string | null {
  if (termTexts.test(key)) return 'a purchase stores this text, so it is the same for everybody';
  const [refused] = applyOverrides({ [modelOf(key)]: text }, english, language).refused;
  if (refused) return refused.reason;
  return screensWith(key).length > 0 ? null : 'no screen of a flow shows this text';
}

function textProblems(experiment: Experiment, { changes }: ExperimentVariant, path: string) {
  const { texts = {} } = changes;
  const written = Object.entries(texts).flatMap(([language, own]) =>
    Object.entries(own).flatMap(([key, text]) => {
      const reason = refusalOf(key, text, language);
      return reason ? [problem(`${path}.${language}.${key}`, reason)] : [];
    }),
  );
  const missing = textKeys(changes).flatMap((key) => {
    if (pluralForm.test(key)) return [];
    const lacking = languagesOf(experiment).filter((language) => !texts[language]?.[key]);
    const reason = `${key} is missing in ${lacking.join(', ')}, which the targeting admits`;
    return lacking.length > 0 ? [problem(path, reason)] : [];
  });
  return [...written, ...missing];
}

function changeProblems(experiment: Experiment, at: string, { flows, offers }: Configuration) {
  return experiment.variants.flatMap((variant, index) => {
    const path = `${at}.variants.${index}.changes`;
    const { flow, offer } = variant.changes;
    const isControl = index === 0 && Object.keys(variant.changes).length > 0;
    return [
      ...(isControl ? [problem(path, 'the first variant is the control and changes nothing')] : []),
      ...(flow && !flows.get(flow)?.every((id) => !isTestScreen(id))
        ? [problem(`${path}.flow`, `no flow ${flow}`)]
        : []),
      ...(offer && !offers.has(offer) ? [problem(`${path}.offer`, `no offer ${offer}`)] : []),
      ...textProblems(experiment, variant, `${path}.texts`),
    ];
  });
}

function ownProblems(experiment: Experiment, at: string, configuration: Configuration): Problem[] {
  const { id, starts, ends, winner, variants } = experiment;
  const isOver = starts && ends && Date.parse(ends) <= Date.parse(starts);
  const isUnknown = winner !== undefined && !variants.some(({ key }) => key === winner);
  return [
    ...(id === configuration.experiment
      ? [problem(`${at}.id`, 'the split of config.json has this name')]
      : []),
    ...(isOver ? [problem(`${at}.ends`, 'not after the start')] : []),
    ...(isUnknown ? [problem(`${at}.winner`, `no variant ${winner}`)] : []),
    ...(isSettled(experiment) ? [] : changeProblems(experiment, at, configuration)),
  ];
}

function layerProblems(experiments: readonly Experiment[]): Problem[] {
  const layers = Map.groupBy(experiments, ({ layer }) => layer);
  return [...layers].flatMap(([layer, own]) => {
    const hundredths = own.reduce((sum, { share }) => sum + Math.round(share * 100), 0);
    return layer !== undefined && hundredths > 10_000
      ? [problem('experiments', `the shares of layer ${layer} add up to more than 100`)]
      : [];
  });
}

/** Of every screen; experiments of a layer exclude each other, so their renderings add up. */
function renderingProblems(experiments: readonly Experiment[], configuration: Configuration) {
  const changed = new Map(
    experiments.filter(isOpen).map((each) => [each, changedScreens(each, configuration)]),
  );
  return screenIds.flatMap((screen) => {
    const own = [...changed].filter(([, on]) => on.has(screen)).map(([each]) => each);
    const groups = Map.groupBy(own, ({ id, layer }) => layer ?? `:${id}`);
    const renderings = [...groups.values()].reduce(
      (all, group) => all * group.reduce((sum, { variants }) => sum + variants.length - 1, 1),
      1,
    );
    const names = own.map(({ id }) => id).join(', ');
    const reason = `${names} make ${renderings} versions of ${screen}, over ${mostRenderings}; put them in a layer`;
    return renderings > mostRenderings ? [problem('experiments', reason)] : [];
  });
}

/** What the schema cannot tell. An isolate loads this file only if there are experiments. */
export function experimentProblems(configuration: Configuration): Problem[] {
  const { experiments, holdout } = configuration;
  const own = [
    ...experiments.flatMap((each, index) =>
      ownProblems(each, `experiments.${index}`, configuration),
    ),
    ...(holdout ? holdoutProblems(holdout, configuration) : []).map(([field, reason]) =>
      problem(`holdout.${field}`, reason),
    ),
  ];
  if (own.length > 0) return own;
  return [...layerProblems(experiments), ...renderingProblems(experiments, configuration)];
}

import type { Experiment } from './experiments-schema.ts';

export interface ExperimentVisitor {
  id: string;
  country: string;
  language: string;
  /** `ios`, `android`, `desktop` or `other`. */
  platform: string;
  source: string;
  placement: string;
  campaign: string;
  isNew: boolean;
}

const classes: Record<string, string> = { ios: 'mobile', android: 'mobile', desktop: 'desktop' };

const fits = (wanted: readonly string[] | undefined, value: string) =>
  !wanted || wanted.includes(value);

export function isEligible(
  { targeting }: Pick<Experiment, 'targeting'>,
  visitor: ExperimentVisitor,
) {
  const { countries, languages, devices, platforms, sources, placements, campaigns, visitors } =
    targeting;
  return (
    fits(countries, visitor.country) &&
    fits(languages, visitor.language) &&
    fits(devices, classes[visitor.platform] ?? '') &&
    fits(platforms, visitor.platform) &&
    fits(sources, visitor.source) &&
    fits(placements, visitor.placement) &&
    fits(
      campaigns?.map((one) => one.toLowerCase()),
      visitor.campaign.toLowerCase(),
    ) &&
    (!visitors || visitors === (visitor.isNew ? 'new' : 'returning'))
  );
}

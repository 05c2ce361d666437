export interface ExperimentArm {
  experiment: string;
  variant: string;
}

type Arms = readonly ExperimentArm[];

const maxArmsLength = 1024;

export const armsText = (arms: Arms): string =>
  arms.map(({ experiment, variant }) => `${experiment}:${variant}`).join(',');

/** From a column, or from the cookie, which has dots. What is no variant, or beyond 1 KB, is left out. */
export const armsIn = (text: string): ExperimentArm[] =>
  text
    .slice(0, maxArmsLength)
    .split(/[,.]/)
    .flatMap((each) => {
      const [, experiment, variant] = /^([\w-]{1,32}):([\w/-]{1,65})$/.exec(each) ?? [];
      return experiment && variant ? [{ experiment, variant }] : [];
    });

/** The account wins, because its orders were counted with its variants. */
export const mergedArms = (account: Arms, visitor: Arms): ExperimentArm[] => [
  ...account,
  ...visitor.filter((own) => !account.some(({ experiment }) => experiment === own.experiment)),
];

/** Before steps of experiments beside the split. They count a visitor once more for each, so no total reads them. */
export const testPrefix = 'test:';

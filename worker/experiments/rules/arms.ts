export interface Arm {
  experiment: string;
  variant: string;
}

type Arms = readonly Arm[];

const maxArmsLength = 1024;

export const armsText = (arms: Arms): string =>
  arms.map(({ experiment, variant }) => `${experiment}:${variant}`).join(',');

/** From a column, or from the cookie, which has dots. What is no variant, or beyond 1 KB, is left out. */
export const armsIn = (text: string): Arm[] =>
  text
    .slice(0, maxArmsLength)
    .split(/[,.]/)
    .flatMap((each) => {
      const [, experiment, variant] = /^([\w-]{1,32}):([\w/-]{1,65})$/.exec(each) ?? [];
      return experiment && variant ? [{ experiment, variant }] : [];
    });

/** Before steps of experiments beside the split. They count a visitor once more for each, so no total reads them. */
export const testPrefix = 'test:';

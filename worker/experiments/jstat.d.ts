declare module 'jstat' {
  interface Distributions {
    normal: {
      /** Probability of at most `x`. */
      cdf(x: number, mean: number, deviation: number): number;
      inv(p: number, mean: number, deviation: number): number;
    };
    chisquare: { cdf(x: number, degreesOfFreedom: number): number };
  }
  const jstat: Distributions;
  export default jstat;
}

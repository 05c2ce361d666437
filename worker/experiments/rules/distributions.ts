/** ln Γ(a) of a half-integer: exact by Γ(a) = (a - 1) Γ(a - 1). */
export function logGamma(a: number): number {
  let sum = Number.isInteger(a) ? 0 : Math.log(Math.PI) / 2;
  for (let at = a - 1; at > 0; at -= 1) sum += Math.log(at);
  return sum;
}

/** 1 - Q by its series, which converges fast below the mean. https://dlmf.nist.gov/8.11#E4 */
function lowerSeries(a: number, x: number): number {
  let term = 1 / a;
  let sum = term;
  for (let n = 1; term > sum * Number.EPSILON; n += 1) {
    term *= x / (a + n);
    sum += term;
  }
  return sum;
}

const maxTerms = 10_000;

/** Q by its continued fraction, evaluated by Lentz's method. No denominator is 0. https://dlmf.nist.gov/8.9#E2 */
function upperFraction(a: number, x: number): number {
  let b = x + 1 - a;
  let c = Number.POSITIVE_INFINITY;
  let d = 1 / b;
  let value = d;
  for (let n = 1; n < maxTerms && c * d !== 1; n += 1) {
    const factor = -n * (n - a);
    b += 2;
    d = 1 / (factor * d + b);
    c = b + factor / c;
    value *= c * d;
  }
  return value;
}

/** The regularized upper incomplete gamma function Q(a, x) of a half-integer. */
function gammaQ(a: number, x: number): number {
  if (x <= 0) return 1;
  if (x === Number.POSITIVE_INFINITY) return 0;
  const scale = Math.exp(a * Math.log(x) - x - logGamma(a));
  return x < a + 1 ? 1 - scale * lowerSeries(a, x) : scale * upperFraction(a, x);
}

export const chiSquaredTail = (x: number, degreesOfFreedom: number): number =>
  gammaQ(degreesOfFreedom / 2, x / 2);

export function normalCdf(x: number): number {
  const tail = gammaQ(0.5, x ** 2 / 2) / 2;
  return x < 0 ? tail : 1 - tail;
}

/** The inverse of `normalCdf` by Halley's method, from the tail's leading term. @param p between 0 and 1 */
export function normalQuantile(p: number): number {
  if (p > 0.5) return -normalQuantile(1 - p);
  let x = -Math.sqrt(-2 * Math.log(p));
  for (let step = 0; step < 5; step += 1) {
    const error = (normalCdf(x) - p) * Math.sqrt(2 * Math.PI) * Math.exp(x ** 2 / 2);
    x -= error / (1 + (x * error) / 2);
  }
  return x;
}

import type { ReactNode } from 'react';
import { Lines } from '../../parts/lines.tsx';

export const Estimates = ({
  lines,
  children,
}: {
  lines: readonly string[];
  children?: ReactNode;
}) => (
  <section className="card">
    <h2>How long the test will take</h2>
    <Lines lines={lines} />
    <p className="quiet">
      By the last 14 full days (UTC), for one evaluation at the end, with a power of 80% and an
      error rate of 5%.
    </p>
    {children}
  </section>
);

import { expect } from 'vitest';
import { journey } from './run-journey.ts';
import { goToCheckout, payAndFinish } from './walk-flow.ts';

journey('storage: the flow works with cookies only', async ({ visitor, server }) => {
  await visitor.page.addInitScript(() => {
    const blocked = {
      get() {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      },
    };
    Object.defineProperty(window, 'localStorage', blocked);
    Object.defineProperty(window, 'sessionStorage', blocked);
  });
  await goToCheckout(visitor);
  await payAndFinish(visitor);
  expect(server.gatewayCaptures(visitor.email)).toHaveLength(1);
});

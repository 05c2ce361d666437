import * as v from 'valibot';
import { expect, test } from 'vitest';
import {
  appLink,
  cancelLink,
  manageLink,
  signIn,
} from '../../../../worker/email/templates/link-emails.ts';
import { templateContext } from '../template-context.ts';

const context = templateContext('en');

test.each([
  ['sign-in', signIn, '/m#c', /once.*15 minutes.*did not ask/s],
  ['app link', appLink, '/d#c', /once.*24 hours.*yourself/s],
  ['manage link', manageLink, '/manage#c', /once.*15 minutes/s],
  ['cancel link', cancelLink, '/cancel#c', /once.*15 minutes/s],
] as const)(
  '%s e-mail: it opens its page and says how long the link works',
  (_, email, path, limits) => {
    const { action, footer } = email.write(context, { code: 'c' });
    expect(action?.href).toBe(`https://funnel.test${path}`);
    expect(footer?.join(' ')).toMatch(limits);
    expect(v.is(email.data, {})).toBe(false);
  },
);

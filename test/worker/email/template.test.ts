import * as v from 'valibot';
import { expect, test } from 'vitest';
import { template } from '../../../worker/email/template.ts';

test('a template is typed by its schema, and stays what it is', () => {
  const made = {
    data: v.object({ name: v.string() }),
    write: (_: unknown, { name }: { name: string }) => ({ subject: name, paragraphs: [] }),
  };
  expect(template(made)).toBe(made);
  // @ts-expect-error the schema has no such field
  template({ data: v.object({}), write: (_, { name }) => ({ subject: name, paragraphs: [] }) });
});

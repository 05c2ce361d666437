import type * as v from 'valibot';
import type { MailText } from '../../locales/index.ts';

/** What a mail says; `layout.ts` makes plain text and HTML of it. */
export interface EmailContent {
  subject: string;
  paragraphs: readonly string[];
  /** The one thing to do. */
  action?: { label: string; href: string };
  /** What follows below in small print, after the action. */
  small?: readonly string[];
}

/** What every template may use. */
export interface TemplateContext {
  t: MailText;
  /** BCP 47, for dates and money. */
  language: string;
  /** Origin of our pages, `https://example.com`. */
  site: string;
  /** Where customers write to; empty when not set. */
  support: string;
}

/** One kind of mail: the data that it needs, and what it says. */
export interface Template<Data> {
  data: v.GenericSchema<unknown, Data>;
  /** Must say the same for the same data: a mail that is sent again is the same mail. */
  write(desk: TemplateContext, data: Data): EmailContent;
}

/** Types a template by its schema. */
export const template = <Data>(made: Template<Data>): Template<Data> => made;

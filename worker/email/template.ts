import type * as v from 'valibot';
import type { MailText } from '../../locales/index.ts';
import type { NamedText } from '../content/rules/text-overrides.ts';

export interface EmailLink {
  label: string;
  href: string;
}

/** The parts of an e-mail; `layout.ts` renders them as plain text and HTML. */
export interface EmailContent {
  subject: string;
  /** The heading, if the subject says more. */
  title?: string;
  /** What was paid or refunded, shown large before the facts. */
  sum?: readonly [label: string, value: string];
  facts?: readonly (readonly [label: string, value: string])[];
  paragraphs: readonly string[];
  /** Digits for typing, shown large, and how long they work. The action is beside them. */
  code?: readonly [digits: string, validity: string];
  action?: EmailLink;
  about?: string;
  footer?: readonly (string | EmailLink)[];
}

export interface TemplateContext {
  t: MailText;
  named: NamedText;
  /** BCP 47, for dates and money. */
  language: string;
  site: string;
  /** The product's name, as on the site and in SMS. */
  brand: string;
  /** Support address; empty when not set. */
  support: string;
  /** The seller, a fact on each line; empty when not set. */
  seller: string;
}

export interface Template<Data> {
  data: v.GenericSchema<unknown, Data>;
  /** Deterministic: a retry must render the same e-mail. */
  write(context: TemplateContext, data: Data): EmailContent;
}

export const defineTemplate = <Data>(template: Template<Data>): Template<Data> => template;

import type { StripeElementStyleVariant } from '@stripe/stripe-js';
import type { FieldOptions } from './messages.ts';

const NAMES: Record<string, string> = {
  backgroundColor: 'background-color',
  color: 'color',
  fontFamily: 'font-family',
  fontSize: 'font-size',
  fontStyle: 'font-style',
  fontVariant: 'font-variant',
  fontWeight: 'font-weight',
  letterSpacing: 'letter-spacing',
  lineHeight: 'line-height',
  padding: 'padding',
  textAlign: 'text-align',
  textDecoration: 'text-decoration',
  textShadow: 'text-shadow',
  textTransform: 'text-transform',
};

/** Below 16 px a phone zooms into the field; so fields are never smaller. */
const legible = (size: string) =>
  size.endsWith('px') && Number.parseFloat(size) < 16 ? '16px' : size;

const safe = (value: unknown) => String(value).replace(/[{}<>;]/g, '');

function rule(selector: string, variant: object = {}): string {
  const lines = Object.entries(variant).flatMap(([name, value]) => {
    const property = NAMES[name];
    if (!property || value === undefined) return [];
    return [`${property}:${safe(property === 'font-size' ? legible(String(value)) : value)}`];
  });
  return lines.length > 0 ? `${selector}{${lines.join(';')}}` : '';
}

function rules(selector: string, variant: StripeElementStyleVariant = {}): string {
  const nested = Object.entries(variant).filter(([name]) => name.startsWith(':'));
  return [
    rule(selector, variant),
    rule(`${selector}+.icon`, { color: variant.iconColor }),
    ...nested.map(([pseudo, inner]) => rule(`${selector}${pseudo}`, inner as object)),
  ].join('');
}

/** The sheet of a field from `style.base`, `.complete`, `.empty` and `.invalid`. */
export const sheetOf = ({ style }: FieldOptions): string =>
  [
    rules('input', style?.base),
    rules('input.empty', style?.empty),
    rules('input.complete', style?.complete),
    rules('input.invalid', style?.invalid),
  ].join('');

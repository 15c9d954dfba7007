import { type Static, Type } from 'typebox';
import { closed } from './schema-parts.ts';

export const SignInRequestSchema = closed(
  {
    code: Type.String({
      maxLength: 100,
      description: 'The text after `#sign-in=` in the URL of a sign-in link.',
      examples: ['0123456789ABCDEFGHIJKLMNOPQRST'],
    }),
  },
  { title: 'SignInRequest' },
);
export type SignInRequest = Static<typeof SignInRequestSchema>;

/** The licence of the records of a dataset, with the attribution that it asks for. */
export type Licence = {
  /** An SPDX id such as `CC-BY-4.0`, or another name. */
  readonly name: string;
  readonly url?: string;
  /** The text that a user of the data must show. */
  readonly attribution?: string;
  /** The terms of the service or contract under which the data are given. */
  readonly termsUrl?: string;
};

/** The licence of a dataset as a list, which is empty if none is declared. */
export function licencesOf({ licence }: { readonly licence?: Licence }): readonly Licence[] {
  return licence === undefined ? [] : [licence];
}

/** All of a licence in one line. */
export function licenceText({ name, url, attribution, termsUrl }: Licence): string {
  return [name, url, attribution, termsUrl].filter((part) => part !== undefined).join('; ');
}

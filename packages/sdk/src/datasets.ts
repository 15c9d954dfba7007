/**
 * The datasets of a service, as `createClient<Datasets>` takes them: the fields of each, the type of their values and
 * the operators that a filter on them can use.
 */
export type DatasetsShape = Readonly<
  Record<
    string,
    { readonly fields: Readonly<Record<string, FieldShape>>; readonly defaultFields: string }
  >
>;

export type FieldShape = { readonly value: FieldValue; readonly operator: string };

/** A value of a record. Dates are text, YYYY-MM-DD; an absent value is null. */
export type FieldValue = string | number | boolean | null;

/** Any dataset with any field: the default for a client without types for its datasets. */
export type AnyDatasets = Readonly<
  Record<
    string,
    {
      readonly fields: Readonly<
        Record<string, { readonly value: FieldValue; readonly operator: string }>
      >;
      readonly defaultFields: string;
    }
  >
>;

export type DatasetName<Datasets> = keyof Datasets & string;

export type FieldName<
  Datasets extends DatasetsShape,
  Name extends DatasetName<Datasets>,
> = keyof Datasets[Name]['fields'] & string;

export type DefaultFieldName<
  Datasets extends DatasetsShape,
  Name extends DatasetName<Datasets>,
> = Datasets[Name]['defaultFields'] & FieldName<Datasets, Name>;

/** A record with these fields. */
export type RecordOf<
  Datasets extends DatasetsShape,
  Name extends DatasetName<Datasets>,
  Selected extends FieldName<Datasets, Name>,
> = { readonly [Field in Selected]: Datasets[Name]['fields'][Field]['value'] };

/** A filter on one of the fields, with one of the operators of that field. */
export type Filter<Datasets extends DatasetsShape, Name extends DatasetName<Datasets>> = {
  [Field in FieldName<Datasets, Name>]: FilterOn<
    Field,
    Datasets[Name]['fields'][Field]['operator'],
    NonNullable<Datasets[Name]['fields'][Field]['value']>
  >;
}[FieldName<Datasets, Name>];

type FilterOn<Field, Operator extends string, Value> = {
  readonly fieldName: Field;
  readonly operator: Operator;
  /** The value, which can always be text: as text, numbers of any size are exact. */
  readonly value?: Value | string | undefined;
  /** The values of an operator that takes a list, such as `in`. */
  readonly values?: readonly (Value | string)[] | undefined;
};

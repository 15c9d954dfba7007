import type { Bucket } from '../domain/date-bucket.ts';
import type { Field, FieldType } from '../domain/field.ts';
import type { LineFormat } from '../domain/line-format.ts';
import type { ReadableVersion, TextMatch } from '../domain/predicate.ts';
import type { SearchRule } from '../domain/search-text.ts';
import type { PresentValue } from '../domain/value.ts';

/** A statement ready to run: every value is bound, in order. */
export type SqlStatement = {
  readonly text: string;
  readonly parameters: readonly SqlParameter[];
};

export type SqlParameter = {
  readonly type: FieldType;
  /** A list for a `listPlaceholder` or a `listItem` of the dialect. */
  readonly value: PresentValue | readonly PresentValue[];
};

/** An expression, and the type of its values. */
export type TypedExpression = { readonly type: FieldType; readonly expression: string };

/** The same with the name of a field. */
export type NamedExpression = TypedExpression & { readonly name: string };

/** A list parameter, and the name of the column with its values. */
export type ListColumn = { readonly number: number; readonly name: string };

/** The differences between the databases that plans are compiled for. Expressions are SQL text. */
export type SqlDialect = {
  /** The placeholder of the parameter with this number, from 1, cast to its type where needed. */
  readonly placeholder: (number: number, type: FieldType) => string;
  /** A subquery, in parentheses, of the values of this list parameter. */
  readonly listPlaceholder: (number: number, type: FieldType) => string;
  /** A value of this list parameter, by an expression of its number in the list, from 1. */
  readonly listItem: (parameter: number, type: FieldType, number: string) => string;
  /** A subquery, in parentheses, of these list parameters of integers as columns: a row for each place in the lists. */
  readonly listTable: (columns: readonly ListColumn[]) => string;
  /** The records of a version, for FROM. */
  readonly recordTable: (version: ReadableVersion) => string;
  /** A subquery, in parentheses, of a table with some of its columns replaced by expressions. */
  readonly replaceColumns: (table: string, columns: readonly string[]) => string;
  readonly rowColumn: string;
  /** The column with the folded text of a string field. */
  readonly foldColumn: (field: Field) => string;
  /** Whether a folded text matches another; both are expressions. `term` is the other one itself, for a condition of a query. */
  readonly textMatch: (match: TextMatch, text: string, folded: string, term?: string) => string;
  /** Whether a text matches a regular expression, a constant in the syntax of RE2, anywhere. */
  readonly matchesPattern: (text: string, pattern: string) => string;
  /** Texts, any of which may be absent, each between two line feeds. */
  readonly betweenLineFeeds: (texts: readonly string[]) => string;
  /** The text form of an expression of the type, as JavaScript writes it. */
  readonly textOf: (type: FieldType, expression: string) => string;
  /** The text form of a field, and its form that is searched by a rule. */
  readonly fieldText: (field: Field) => string;
  readonly searchedText: (field: Field, rule: SearchRule) => string;
  /** An aggregate: the value of one expression in the row where the other is least. */
  readonly valueAtLeast: (value: string, least: string) => string;
  /** The whole number of an expression of a float, rounded towards zero; absent beyond 64 bits. */
  readonly wholeNumber: (expression: string) => string;
  /** The double that is nearest to an expression of a number, if that is within 64 bits. */
  readonly double: (expression: string) => string;
  /** A whole number as a type with room for the difference of two sums. */
  readonly wide: (expression: string) => string;
  /** The quotient of two whole numbers, rounded towards zero. */
  readonly wholeQuotient: (dividend: string, divisor: number) => string;
  /** An aggregate: the sum of an expression of whole numbers, which may be beyond 64 bits. */
  readonly sum: (expression: string) => string;
  /** An aggregate: the present value of an expression with this index, an expression from 0, when sorted. */
  readonly sortedItem: (expression: string, index: string) => string;
  /**
   * An aggregate: a present value of an expression that is a quantile (a number) of its values, or next to it when sorted.
   * Given if two passes over the records are faster than to sort all values of a group.
   */
  readonly valueNear?: ((expression: string, quantile: number) => string) | undefined;
  /**
   * An aggregate: the two present values of an expression in the middle of all, when sorted, as a list from 1. Of an odd
   * number of values, the second is any of them. Given if one pass over the records finds both.
   */
  readonly middleItems?: ((expression: string) => string) | undefined;
  /** The number of all rows of a query, before its LIMIT. Absent: a page of groups is made of all groups. */
  readonly countOfAll?: string | undefined;
  /** A value that all days of a bucket share, in the order of the buckets. */
  readonly bucketKey: (bucket: Bucket, day: string) => string;
  /** The bucket of such a key: a day, or a number. */
  readonly bucketOfKey: (bucket: Bucket, key: string) => string;
  /** Given if a subquery cannot refer to the record of the query around it. */
  readonly uncorrelated?: {
    /** An expression of a day, or one that is no day where it is absent, so that absent ones are equal. */
    readonly dayOrNone: (expression: string) => string;
  };
  /** Lines of text, if the database writes them faster than its rows are read; absent: it does not. */
  readonly lines?: {
    /** A record as a line, as `encoding/record-lines.ts` writes it. */
    readonly line: (format: LineFormat, values: readonly NamedExpression[]) => string;
    /** An aggregate: the bytes of the lines of many records, in the order of a number. */
    readonly join: (line: string, order: string) => string;
  };
  /** The number of bytes of a text in UTF-8, absent as the text. */
  readonly textBytes: (text: string) => string;
  /** An absent text. */
  readonly noText: string;
  /** An expression of the type for SELECT, so that the driver returns a `Value`. */
  readonly selectValue: (type: FieldType, expression: string) => string;
  /** The same for a driver that reads whole columns as they are stored; absent: as `selectValue`. */
  readonly selectColumn?: (expression: string) => string;
};

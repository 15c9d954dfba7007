export * from './admin-answers.ts';
export * from './admin-requests.ts';
export * from './catalog-answers.ts';
export * from './catalog-requests.ts';
export * from './field-definition.ts';
export * from './metric-answers.ts';
export * from './metric-requests.ts';
export * from './problem.ts';

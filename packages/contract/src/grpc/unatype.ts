/** The package `unacast.unatype`. */
export * from '../generated/unacast/unatype/availability_kind_pb.js';
export * from '../generated/unacast/unatype/column_map_pb.js';
export * from '../generated/unacast/unatype/date_pb.js';
export * from '../generated/unacast/unatype/filter_clause_pb.js';

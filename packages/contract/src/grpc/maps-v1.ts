/** The package `unacast.maps.v1`. */
export * from '../generated/unacast/maps/v1/address_component_pb.js';
export * from '../generated/unacast/maps/v1/feature_pb.js';
export * from '../generated/unacast/maps/v1/layer_kind_pb.js';
export * from '../generated/unacast/maps/v1/layer_pb.js';
export * from '../generated/unacast/maps/v1/map_service_pb.js';

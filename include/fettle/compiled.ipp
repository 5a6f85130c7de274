// All functions of Fettle that are not templates, for one file of a program whose files are
// compiled with FETTLE_COMPILED (core/definition.hpp). CMake's target fettle::compiled is that
// file; without CMake it is a file of yours that includes this, also compiled with
// -DFETTLE_COMPILED.
#pragma once

#ifndef FETTLE_COMPILED
#error "compile all files of the program with -DFETTLE_COMPILED, or do not include this file"
#endif

#include <fettle/core/file.ipp>
#include <fettle/core/json_writer.ipp>
#include <fettle/core/library_check.ipp>
#include <fettle/core/percent.ipp>
#include <fettle/machine/description.ipp>
#include <fettle/machine/gpu_features.ipp>
#include <fettle/machine/known_machine.ipp>
#include <fettle/machine/measured_features.ipp>
#include <fettle/machine/processor_features.ipp>
#include <fettle/measure/energy_window.ipp>
#include <fettle/measure/nvml.ipp>
#include <fettle/measure/powercap.ipp>
#include <fettle/measure/profiled_region.ipp>
#include <fettle/measure/race.ipp>
#include <fettle/measure/statistics.ipp>
#include <fettle/model/described_parameters.ipp>
#include <fettle/model/description_of_machines.ipp>
#include <fettle/model/description_reader.ipp>
#include <fettle/model/forest.ipp>
#include <fettle/model/forest_block.ipp>
#include <fettle/model/forest_predictor.ipp>
#include <fettle/model/forest_reader.ipp>
#include <fettle/model/input_stage.ipp>
#include <fettle/model/lane_tables.ipp>
#include <fettle/model/leaf_masks.ipp>
#include <fettle/model/line_reader.ipp>
#include <fettle/model/model_directory.ipp>
#include <fettle/model/portable.ipp>
#include <fettle/model/raw_stage.ipp>
#include <fettle/model/specialised_text.ipp>
#include <fettle/model/svm.ipp>
#include <fettle/model/svm_careful.ipp>
#include <fettle/model/svm_lanes.ipp>
#include <fettle/model/svm_predictor.ipp>
#include <fettle/model/svm_reader.ipp>
#include <fettle/ndp/tuned/default_trace.ipp>
#include <fettle/variant/call/object_name.ipp>
#include <fettle/variant/online/cost_monitor.ipp>
#include <fettle/variant/online/online_cache.ipp>
#include <fettle/variant/online/online_race.ipp>
#include <fettle/variant/online/online_search.ipp>
#include <fettle/variant/parameters/parameter.ipp>
#include <fettle/variant/parameters/parameter_expression.ipp>
#include <fettle/variant/parameters/parameter_space.ipp>
#include <fettle/variant/registration/context.ipp>
#include <fettle/variant/registration/environment.ipp>
#include <fettle/variant/registration/parameters_json.ipp>
#include <fettle/variant/registration/policy_json.ipp>
#include <fettle/variant/registration/registered.ipp>
#include <fettle/variant/registration/registry.ipp>
#include <fettle/variant/registration/training_request.ipp>
#include <fettle/variant/registration/variant_tables.ipp>
#include <fettle/variant/selection/call_plan.ipp>
#include <fettle/variant/selection/contenders.ipp>
#include <fettle/variant/selection/decision_trace.ipp>
#include <fettle/variant/selection/deployed_points.ipp>
#include <fettle/variant/selection/deployment.ipp>
#include <fettle/variant/selection/first_call.ipp>
#include <fettle/variant/selection/function_state.ipp>
#include <fettle/variant/selection/model_cache.ipp>
#include <fettle/variant/selection/objectives.ipp>
#include <fettle/variant/selection/rare_selection.ipp>
#include <fettle/variant/training/evaluated_features.ipp>
#include <fettle/variant/training/point_source.ipp>
#include <fettle/variant/training/training.ipp>
#include <fettle/variant/training/training_log.ipp>
#include <fettle/variant/training/trial.ipp>
#include <fettle/variant/training/variant_sampler.ipp>

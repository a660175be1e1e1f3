#include "app/insitu/catalyst/communicator.hpp"
#include "app/insitu/catalyst/surroundings.hpp"
#include "app/insitu/catalyst/vtk_data.hpp"
#include "app/insitu/corral_insitu.h"
#include "app/insitu/shared/plugin.hpp"

#include <vtkCPDataDescription.h>
#include <vtkCPInputDataDescription.h>
#include <vtkCPProcessor.h>
#include <vtkCPPythonPipeline.h>
#include <vtkLogger.h>
#include <vtkNew.h>
#include <vtkPVVersion.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

// The plug-in on ParaView's classic adaptor, which takes scripts that ParaView's client exports (version 2) and those
// of before 5.9 (version 1). Signals, arithmetic, locale and working directory are put back by whoever calls.
namespace corral::catalyst {

namespace {

// ParaView in this process. It cannot be started twice (MPI, once ended, cannot), so it stays until the process ends,
// whichever scripts fail before.
struct ParaView {
  Processes processes;
  Display display; // declared before the next: the X server ends after those who draw on it
  vtkNew<vtkCPProcessor> processor;

  explicit ParaView(const corral_insitu_processes& of) : processes(of) {
    vtkLogger::SetStderrVerbosity(vtkLogger::VERBOSITY_ERROR); // warnings of ParaView's own doings help nobody here
    make_python_visible();
    // ParaView calls MPI_Init. As a process of its own Open MPI would start a daemon, and abort where it can't.
    if (!std::getenv("OMPI_COMM_WORLD_SIZE")) ::setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
    // All draw, or none: who draws waits for the others.
    ::setenv("CORRAL_INSITU_RENDER", processes.all(display.answers()) ? "1" : "0", 1);
    if (!processes.start(*processor)) throw std::runtime_error("ParaView could not be started");
  }
  ParaView(const ParaView&) = delete;
  ParaView& operator=(const ParaView&) = delete;
  ~ParaView() {
    processor->RemoveAllPipelines();
    processor->Finalize();
  }
};

using insitu::channels_of;

class Script {
public:
  Script(std::shared_ptr<ParaView> paraview, const corral_insitu_request& request) : paraview_(std::move(paraview)) {
    insitu::tell_script(request);
    for (const std::string& c : channels_of(request.mesh)) description_->AddInput(c.c_str());
    for (std::int64_t i = 0; i < request.set_count; ++i)
      for (const std::string& c : channels_of(request.sets[i])) description_->AddInput(c.c_str());
    constexpr int version_unless_said = 2;
    pipeline_ = vtkCPPythonPipeline::CreateAndInitializePipeline(request.script, version_unless_said);
    // Only now there is an interpreter.
    static const bool prepared = (prepare_python(), true);
    static_cast<void>(prepared);
    throw_failure();
    if (!pipeline_) throw std::runtime_error(std::string(request.script) + " is no script of Catalyst");
  }

  bool wants(double time, std::int64_t step) {
    be_the_only_one();
    description_->SetTimeData(time, step);
    const bool wanted = paraview_->processor->RequestDataDescription(description_) != 0;
    throw_failure();
    return wanted;
  }

  void show(const corral_insitu_state& state) {
    give(state);
    const bool done = paraview_->processor->CoProcess(description_) != 0;
    for (const auto& [name, input] : inputs()) input->SetGrid(nullptr);
    throw_failure();
    if (!done) throw std::runtime_error("the script failed (standard error may say why)");
  }

private:
  // Scripts have intervals of their own, while a processor runs all its pipelines.
  void be_the_only_one() {
    paraview_->processor->RemoveAllPipelines();
    paraview_->processor->AddPipeline(pipeline_);
  }

  std::map<std::string, vtkCPInputDataDescription*> inputs() {
    std::map<std::string, vtkCPInputDataDescription*> all;
    for (unsigned i = 0; i < description_->GetNumberOfInputDescriptions(); ++i)
      all[description_->GetInputDescriptionName(i)] = description_->GetInputDescription(i);
    return all;
  }

  void give(const corral_insitu_state& state) {
    const auto of = inputs();
    const auto give_to = [&](const std::string& name, vtkDataObject* data) {
      for (const std::string& c : channels_of(name))
        if (const auto input = of.find(c); input != of.end()) input->second->SetGrid(data);
    };
    const corral_insitu_mesh& m = state.mesh;
    give_to(m.name, image_of(m));
    for (const std::string& c : channels_of(m.name))
      if (const auto input = of.find(c); input != of.end())
        input->second->SetWholeExtent(0, static_cast<int>(m.whole[0]), 0, static_cast<int>(m.whole[1]), 0,
                                      static_cast<int>(m.whole[2]));
    for (std::int64_t i = 0; i < state.set_count; ++i)
      give_to(state.sets[i].name, views_[state.sets[i].name].of(state.sets[i]));
  }

  static void throw_failure() {
    if (const std::string failure = take_failure(); !failure.empty()) throw std::runtime_error(failure);
  }

  std::shared_ptr<ParaView> paraview_;
  vtkNew<vtkCPDataDescription> description_;
  std::map<std::string, PolyDataView> views_;
  vtkSmartPointer<vtkCPPipeline> pipeline_;
};

std::shared_ptr<ParaView>& running() {
  static std::shared_ptr<ParaView> one;
  return one;
}
void finish() { running().reset(); }

Script* new_script(const corral_insitu_request& request) {
  if (!running()) {
    running() = std::make_shared<ParaView>(request.processes);
    std::atexit(finish); // before what its libraries do then, for they registered it earlier
  }
  return new Script(running(), request);
}

constexpr corral_insitu_plugin plugin =
    insitu::plugin_of<Script, new_script>("ParaView Catalyst " PARAVIEW_VERSION_FULL, finish);

} // namespace

} // namespace corral::catalyst

extern "C" __attribute__((visibility("default"))) const corral_insitu_plugin* corral_insitu_entry() {
  return &corral::catalyst::plugin;
}
